/** Rows of keys of all kinds. */
import { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import { RunnerKeyRecord } from "@runhook/core/keys/RunnerKeyRecord"
import { SigningSecretRecord } from "@runhook/core/keys/SigningSecretRecord"
import { columnsOf, rowTable } from "../rows/RowTable.ts"

export const apiKeyTable = rowTable(columnsOf(ApiKeyRecord, ""), ApiKeyRecord)

export const signingSecretTable = rowTable(columnsOf(SigningSecretRecord, ""), SigningSecretRecord)

export const runnerKeyTable = rowTable(columnsOf(RunnerKeyRecord, ""), RunnerKeyRecord)
