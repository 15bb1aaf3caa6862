/** Where captured files are kept, and how many. */
import { secretSetting, setting, settingWithDefault } from "./Setting.ts"
import * as Text from "./SettingText.ts"

export const artifactSettings = {
  artifactsUrl: setting({
    name: "RUNHOOK_ARTIFACTS_URL",
    default: "unset: a folder",
    meaning:
      "`s3://bucket/prefix` keeps captured files in a bucket, see [artifacts on S3](storage.md#artifacts-on-s3), by the `AWS_…` settings below.",
    parse: Text.bucketUrl
  }),
  artifactsDir: setting({
    name: "RUNHOOK_ARTIFACTS_DIR",
    default: "`artifacts` under the data directory",
    meaning:
      "Directory of captured files; it may be a separate volume. Not used with `RUNHOOK_ARTIFACTS_URL`.",
    parse: Text.folder
  }),
  artifactQuota: settingWithDefault({
    name: "RUNHOOK_ARTIFACTS_QUOTA",
    default: "off",
    meaning:
      "How much an account may keep in captured files, such as `10GiB`, by the sizes that its runners announce. A file beyond that is refused when it is registered.",
    parse: Text.byteSize
  }),
  artifactsFreeSpace: settingWithDefault({
    name: "RUNHOOK_ARTIFACTS_FREE_SPACE",
    default: "1GiB",
    meaning:
      "How much space uploads leave free on the volume of captured files, such as `500MiB`, or `off`. An upload that would leave less gets 503, and the log says so; everything else goes on.",
    parse: Text.byteSize
  }),
  artifactsAddressing: setting({
    name: "RUNHOOK_ARTIFACTS_ADDRESSING",
    default: "`path` with `AWS_ENDPOINT_URL` or a bucket with dots, else `virtual`",
    meaning: "Whether URLs of the bucket name it in their `path`, or before the host.",
    parse: Text.oneOf("path", "virtual")
  }),
  artifactsEncryption: setting({
    name: "RUNHOOK_ARTIFACTS_ENCRYPTION",
    default: "unset: as the bucket does",
    meaning:
      "How the store encrypts captured files: `AES256`, `aws:kms` with the bucket's key, or `aws:kms:<key id>`.",
    parse: Text.encryption
  }),
  awsRegion: settingWithDefault({
    name: "AWS_REGION",
    default: "us-east-1",
    meaning: "The region of the bucket.",
    parse: Text.textLike(/^[0-9A-Za-z-]{1,64}$/, "must be a region such as eu-central-1")
  }),
  awsAccessKeyId: secretSetting({
    name: "AWS_ACCESS_KEY_ID",
    default: "unset",
    meaning: "The key to the bucket. `RUNHOOK_ARTIFACTS_URL` requires it.",
    parse: Text.secret
  }),
  awsSecretAccessKey: secretSetting({
    name: "AWS_SECRET_ACCESS_KEY",
    default: "unset",
    meaning: "The secret of that key. `RUNHOOK_ARTIFACTS_URL` requires it.",
    parse: Text.secret
  }),
  awsSessionToken: secretSetting({
    name: "AWS_SESSION_TOKEN",
    default: "unset",
    meaning: "The token of temporary credentials. It is read at the start alone: restart before they end.",
    parse: Text.secret
  }),
  awsEndpointUrl: setting({
    name: "AWS_ENDPOINT_URL",
    default: "unset: Amazon's",
    meaning: "The URL of another store that speaks S3, such as `https://minio.example.com:9000`.",
    parse: Text.origin
  }),
  awsEndpointUrlS3: setting({
    name: "AWS_ENDPOINT_URL_S3",
    default: "as `AWS_ENDPOINT_URL`",
    meaning: "The same, where other programs use another one for other services.",
    parse: Text.origin
  })
}
