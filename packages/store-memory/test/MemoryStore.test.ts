import { MemoryDatabase } from "@runhook/store-memory/MemoryDatabase"
import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import { suites } from "@runhook/store-testing/Suites"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Layer from "effect/Layer"
import { storedTables } from "./StoredTables.ts"

const layer = Layer.mergeAll(
  Layer.provideMerge(MemoryStore.layer, SecureRandom.layerWebCrypto),
  MemoryDatabase.layer
)

suites("memory", layer, { storedRows: storedTables })
