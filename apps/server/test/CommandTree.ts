/** The commands of the program. */
import type * as Command from "effect/cli/Command"

/** Commands that do something. */
export const leavesOf = (command: Command.Command.Any, path: string): ReadonlyArray<string> =>
  command.subcommands.length === 0
    ? [path]
    : command.subcommands.flatMap(({ commands }) =>
        commands.flatMap((each) => leavesOf(each, `${path} ${each.name}`))
      )
