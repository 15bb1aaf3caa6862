/** The place of captured files: what the settings of it mean together. */
import { join } from "node:path"
import type { Bucket } from "@runhook/artifacts/s3/Bucket"
import type { Given } from "../config.ts"

/** The folder of the settings, which is used without a bucket. */
export const artifactsDirOf = ({ artifactsDir, dataDir }: Given): string => artifactsDir ?? usualDir(dataDir)

/** The folder without a setting of its own. */
export const usualDir = (dataDir: string): string => join(dataDir, "artifacts")

/** The bucket of the settings; null for the folder. */
export const bucketOf = (given: Given): Bucket | null => {
  const { artifactsUrl, awsAccessKeyId, awsSecretAccessKey } = given
  if (!artifactsUrl || !awsAccessKeyId || !awsSecretAccessKey) return null
  const endpoint = given.awsEndpointUrlS3 ?? given.awsEndpointUrl ?? null
  const usual = endpoint !== null || artifactsUrl.name.includes(".") ? "path" : "virtual"
  return {
    ...artifactsUrl,
    endpoint,
    region: given.awsRegion,
    addressing: given.artifactsAddressing ?? usual,
    accessKeyId: awsAccessKeyId,
    secretAccessKey: awsSecretAccessKey,
    sessionToken: given.awsSessionToken ?? null,
    encryption: given.artifactsEncryption ?? null
  }
}
