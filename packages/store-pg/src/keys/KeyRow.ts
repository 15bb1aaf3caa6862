/** Rows of keys of all kinds. */
import { ApiKeyRecord } from "@runhook/core/domain/keys/ApiKeyRecord"
import { RunnerKeyRecord } from "@runhook/core/domain/keys/RunnerKeyRecord"
import { SigningSecretRecord } from "@runhook/core/domain/keys/SigningSecretRecord"
import { columnsOf, rowTable } from "../rows/RowTable.ts"

export const apiKeyTable = rowTable(columnsOf(ApiKeyRecord, ""), ApiKeyRecord)

export const signingSecretTable = rowTable(columnsOf(SigningSecretRecord, ""), SigningSecretRecord)

export const runnerKeyTable = rowTable(columnsOf(RunnerKeyRecord, ""), RunnerKeyRecord)
