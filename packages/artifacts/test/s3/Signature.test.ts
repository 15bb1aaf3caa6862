/** By the examples of Amazon's "Authenticating Requests (AWS Signature Version 4)" for S3. */
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import { type Bucket, originOf, urlOf } from "../../src/s3/Bucket.ts"
import { signedHeaders, signedUrl } from "../../src/s3/Signature.ts"

const bucket: Bucket = {
  name: "examplebucket",
  prefix: "",
  region: "us-east-1",
  endpoint: "https://s3.amazonaws.com",
  addressing: "virtual",
  accessKeyId: Redacted.make("AKIAIOSFODNN7EXAMPLE"),
  secretAccessKey: Redacted.make("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
  sessionToken: null,
  encryption: null
}
const at = DateTime.makeUnsafe("2013-05-24T00:00:00Z")
const nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

const to = (path: string) => new URL(path, originOf(bucket))

describe("the signature of a request", () => {
  it.each([
    [
      "of a part of an object",
      {
        method: "GET",
        url: to("/test.txt"),
        headers: { range: "bytes=0-9", "x-amz-content-sha256": nothing }
      },
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    ],
    [
      "that stores an object",
      {
        method: "PUT",
        url: to("/test$file.text"),
        headers: {
          date: "Fri, 24 May 2013 00:00:00 GMT",
          "x-amz-storage-class": "REDUCED_REDUNDANCY",
          "x-amz-content-sha256": "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
        }
      },
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
    ],
    [
      "for the lifecycle rule of a bucket",
      { method: "GET", url: to("/?lifecycle"), headers: { "x-amz-content-sha256": nothing } },
      "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
    ],
    [
      "for a list of objects",
      { method: "GET", url: to("/?max-keys=2&prefix=J"), headers: { "x-amz-content-sha256": nothing } },
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
    ]
  ] as const)("%s is Amazon's", async (_what, request, signature) => {
    const { authorization = "" } = await signedHeaders(bucket, { ...request, at })

    assert.isTrue(authorization.endsWith(`Signature=${signature}`), authorization)
  })

  it("in a URL is Amazon's", async () => {
    const expiresIn = Duration.days(1)

    const url = await signedUrl(bucket, {
      method: "GET",
      url: urlOf(bucket, "test.txt"),
      headers: {},
      at,
      expiresIn
    })

    assert.strictEqual(
      new URL(url).searchParams.get("X-Amz-Signature"),
      "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
    )
  })

  it("has the token of credentials that end, and no space as a plus", async () => {
    const url = urlOf(bucket, "test.txt")
    url.searchParams.set("response-content-disposition", 'attachment; filename="a + b"')
    const sessionToken = Redacted.make("a token")

    const signed = await signedUrl(
      { ...bucket, sessionToken },
      { method: "GET", url, headers: {}, at, expiresIn: Duration.minutes(5) }
    )

    assert.include(signed, "X-Amz-Security-Token=a%20token")
    assert.include(signed, "filename%3D%22a%20%2B%20b%22")
  })
})

describe("the URL of an object", () => {
  it.each([
    [{ endpoint: null }, "https://examplebucket.s3.us-east-1.amazonaws.com/a/b"],
    [{ endpoint: null, prefix: "x/y" }, "https://examplebucket.s3.us-east-1.amazonaws.com/x/y/a/b"],
    [
      { addressing: "path", endpoint: null, region: "eu-west-1" },
      "https://s3.eu-west-1.amazonaws.com/examplebucket/a/b"
    ],
    [
      { addressing: "path", endpoint: "http://minio:9000", prefix: "x" },
      "http://minio:9000/examplebucket/x/a/b"
    ]
  ] as const)("with %j is %s", (differently, url) => {
    assert.strictEqual(urlOf({ ...bucket, ...differently }, "a/b").href, url)
  })
})
