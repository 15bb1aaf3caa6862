/** What an attempt keeps for the next one: how far it came, in a value that only its handler understands. */
import { InvalidField } from "../shared/Refusals.ts"
import type { StoredJson } from "../shared/json/StoredJson.ts"
import type { Run } from "./Run.ts"

/** Largest checkpoint: bytes of JSON in UTF-8. */
export const checkpointBytesMax = 64 * 1024

/** The refusal of a checkpoint that is too large, or undefined. */
export const checkpointRefusal = ({ bytes }: StoredJson): InvalidField | undefined =>
  bytes > checkpointBytesMax
    ? new InvalidField({
        path: ["value"],
        rule: `must be at most ${checkpointBytesMax} bytes of JSON, is ${bytes}`
      })
    : undefined

/** Whether a checkpoint of the run may exist. Its first holder cannot have one before it has started. */
export const mayHaveCheckpoint = ({ execution }: Run): boolean =>
  execution.epoch > 1 || execution.status !== "queued"
