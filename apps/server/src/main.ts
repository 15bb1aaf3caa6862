#!/usr/bin/env node
/** The program `runhook`. Commands load what they do when they are run: the service itself takes most of a start. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as CliConfig from "effect/cli/CliConfig"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import { runhook } from "./Commands.ts"
import { reportFailure, reporting } from "./logging/Reporting.ts"
import { run } from "./process/ProcessLifetime.ts"
import { version } from "./Version.ts"

const program = Command.run(runhook, { version }).pipe(
  Effect.tapCause(reportFailure),
  Effect.provide(CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] })),
  Effect.provide([NodeServices.layer, reporting])
)

/** Runs the command that the process was started with. */
export const main = () => run(program)

if (import.meta.main) main()
