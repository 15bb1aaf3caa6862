/** Distinguishes JSON values without keeping them. */
import { hash } from "node:crypto"
import type { Json } from "../shared/json/Json.ts"
import { canonicalJson } from "../shared/json/JsonText.ts"

/** SHA-256 of the canonical JSON, 64 lower-case hex digits: the order of keys makes no difference, any value does. */
export const fingerprint = (value: Json): string => hash("sha256", canonicalJson(value))
