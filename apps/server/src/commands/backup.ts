/** `runhook backup` and `runhook restore`: everything that the service keeps. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Json } from "../output/Output.ts"

const place = (name: string) =>
  Flag.String(name).pipe(
    Flag.withDescription("A folder, or s3://bucket/prefix, which the AWS_… settings open")
  )

export const backupCommand = Command.make("backup", { to: place("to") }, (flags) =>
  Effect.flatMap(
    Effect.promise(() => import("../backup/Backup.ts")),
    ({ backup }) => backup(flags)
  )
).pipe(
  Command.withDescription(
    "Copy the database and the captured files to another place, as of one moment, while the service runs. Files that are there already are not copied again. Secret keys are not copied."
  ),
  Command.withExamples([
    {
      command: "runhook backup --to /mnt/backups",
      description: "One more backup, beside those that are there"
    }
  ]),
  Command.withGlobalFlags([Json])
)

const source = {
  from: place("from"),
  backup: Flag.String("backup").pipe(
    Flag.withDescription("The name of a backup; the newest unless set"),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  )
}

export const restoreCommand = Command.make("restore", source, ({ backup, from }) =>
  Effect.flatMap(
    Effect.promise(() => import("../backup/Restore.ts")),
    ({ restore }) => restore({ from, name: backup })
  )
).pipe(
  Command.withDescription(
    "Bring a backup into the empty database of the settings, and its files to where the settings keep them. If it is interrupted, run it again: until it is done, no service starts on that database."
  ),
  Command.withGlobalFlags([Json])
)

export const verifyBackupCommand = Command.make("verify-backup", source, ({ backup, from }) =>
  Effect.flatMap(
    Effect.promise(() => import("../backup/VerifyBackup.ts")),
    ({ verifyBackup }) => verifyBackup({ from, name: backup })
  )
).pipe(
  Command.withDescription(
    "Restore a backup into a database that is removed afterwards, read every file of it, and walk the history of every execution. It needs no service, and with the secret key it also checks who made the backup."
  ),
  Command.withGlobalFlags([Json])
)
