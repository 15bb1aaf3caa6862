/** What JSON, schemas and names may be. */
import { nameLengthMax } from "@runhook/core/accounts/Account"
import { concurrencyKeyLengthMax, concurrencyLimitMax } from "@runhook/core/runs/seats/Concurrency"
import { priorityMax, priorityMin, referenceLengthMax } from "@runhook/core/executions/Execution"
import { metadataBytesMax, metadataKeysMax, metadataValueLengthMax } from "@runhook/core/executions/Metadata"
import { valueBytesMax } from "@runhook/core/shared/json/JsonBytes"
import { jsonDepthMax } from "@runhook/core/shared/json/JsonText"
import { issuesMax } from "@runhook/core/executions/params/ParamsValidator"
import { ExecutionLimits } from "@runhook/core/Settings"
import { fullLimits } from "@runhook/params/CompiledSchema"
import { patternLengthMax } from "@runhook/params/LinearPattern"
import {
  membersMax,
  namesInAllMax,
  namesMax,
  patternsMax,
  schemasMax,
  valuesMax
} from "@runhook/params/SchemaBounds"
import { schemaBytesMax, schemaDepthMax } from "@runhook/params/SchemaDocument"
import { stepsMax } from "@runhook/params/SecretPaths"
import { filledBytesMax } from "@runhook/params/workers/SchemaWork"
import { defaultOptions as pool } from "@runhook/params/workers/WorkerPool"
import { count, type LimitSection, size, span } from "./Words.ts"

const { idempotencyLifetime } = ExecutionLimits.defaultValue()

export const names: LimitSection = {
  title: "Fields of an execution",
  rows: [
    [
      "params, a result, an answer to a question",
      `${size(valueBytesMax)} of JSON each, with all else in the request body that brings it`
    ],
    [
      "a value after the defaults of its schema are filled in",
      `${size(filledBytesMax)} of JSON; more is refused with the keyword \`default\``
    ],
    [
      "questions of an execution",
      `none are accepted once questions and answers together have ${size(valueBytesMax)}`
    ],
    [
      "secret params",
      `a value is looked through in ${count(stepsMax)} steps; one that takes more is secret as a whole`
    ],
    ["reference", `1 to ${count(referenceLengthMax)} characters`],
    [
      "names",
      `1 to ${count(nameLengthMax)} characters on one line: no spaces around it, no control characters, and none that turn the direction of writing. Labels, and what a runner calls itself, are one line too`
    ],
    [
      "metadata",
      `${count(metadataBytesMax)} bytes of JSON, ${count(metadataKeysMax)} keys, ${count(metadataValueLengthMax)} characters a value; no key may start with \`_service.\``
    ],
    [
      "concurrency key",
      `1 to ${count(concurrencyKeyLengthMax)} characters; a limit of 1 to ${count(concurrencyLimitMax)}, 1 by default`
    ],
    ["priority", `${priorityMin} to ${priorityMax}, 0 by default`],
    [
      "traceparent",
      "the 55 characters of version 00 of W3C Trace Context; of a later version what version 00 knows of it. Anything else is ignored, as `tracestate` is"
    ],
    ["Idempotency-Key", `1 to 255 visible ASCII characters; remembered for ${span(idempotencyLifetime)}`]
  ]
}

export const json: LimitSection = {
  title: "JSON",
  rows: [
    ["nesting of any JSON given", `${count(jsonDepthMax)} levels`],
    ["names in params, results and schemas", "any but `__proto__`."],
    [
      "keys of any JSON given",
      'no backslash at the end, or before one of `" \\ / b f n r t u`, since Node may read another key for it. In a pattern of `patternProperties` write `[\\x5c]` for a backslash, `/` for `\\/`, `\\x0a` for `\\n`'
    ],
    ["a key given twice in an object", "the last one counts"],
    [
      "integers of any JSON given",
      `-${count(Number.MAX_SAFE_INTEGER)} to ${count(Number.MAX_SAFE_INTEGER)} (2^53 - 1), by their value: \`9007199254740993.0\` and \`9.007199254740993e15\` are too large as well`
    ],
    [
      "other numbers of any JSON given",
      "up to 1.8e308. Powers of ten, such as `6.02214076e23`, with no more digits than a double keeps (15 always, 17 at most). Digits behind the point that a double does not keep are rounded: `0.1234567890123456789` is read as `0.12345678901234568`; send such decimals as text"
    ]
  ]
}

export const schemas: LimitSection = {
  title: "Schemas",
  rows: [
    [
      "any schema (params, results, questions)",
      `${size(schemaBytesMax)}, ${count(schemaDepthMax)} levels, linear-time patterns, no remote references. [What zod and pydantic write](agents/schemas.md), and which formats are checked`
    ],
    [
      "patterns (`pattern`, `patternProperties`)",
      `mean what they mean in JavaScript with the flag \`u\`, with \`\\s\`, \`\\w\`, \`.\`, \`$\` and \`\\p{…}\` as there. Up to ${count(patternLengthMax)} characters. Refused at publication: look-around, back references, counts over 1,000, \`(?m:…)\`, \`Script_Extensions\`, short names of scripts, some rare Unicode properties, and \`\\b\`, \`\\W\` or \`\\p{…}\` in \`(?i:…)\``
    ],
    ["schemas in one document", count(schemasMax)],
    [
      "lists in a schema",
      `${count(namesMax)} names in \`required\` and under a name of \`dependentRequired\` or \`dependencies\`, ${count(namesInAllMax)} in all; ${count(membersMax)} schemas in \`allOf\`, \`anyOf\`, \`oneOf\`, \`prefixItems\` and a list of \`items\`; ${count(patternsMax)} \`patternProperties\`; ${count(valuesMax)} values of \`enum\``
    ],
    [
      "work to check one value",
      `${count(fullLimits.verdict)} steps; a step looks at one thing (a member, a name of a list, a value of \`enum\`, 100 characters of text)`
    ],
    [
      "time and memory for one schema or value",
      `${span(pool.timeLimit)} and ${count(pool.heapMax)} MiB, in one of two threads; small ones are checked without a thread. A value that takes more is refused with the keyword \`effort\``
    ],
    [
      "large schemas and values waiting for a thread",
      `${count(pool.waiting.items)} per account, ${size(pool.waiting.size)} together; then 429 \`rate_limited\` with \`details.reason\` \`too_many_checks\``
    ],
    ["issues in one error", count(issuesMax)]
  ]
}
