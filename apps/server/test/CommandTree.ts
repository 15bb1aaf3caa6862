/** The commands of the program. */
import type * as Command from "effect/cli/Command"

type Path = ReadonlyArray<string>

/** All commands and groups, by what is typed after `runhook`. */
export const pathsOf = (command: Command.Command.Any, path: Path): ReadonlyArray<Path> => [
  path,
  ...command.subcommands.flatMap(({ commands }) =>
    commands.flatMap((each) => pathsOf(each, [...path, each.name]))
  )
]

/** Commands that do something. */
export const leavesOf = (command: Command.Command.Any, path: string): ReadonlyArray<string> =>
  command.subcommands.length === 0
    ? [path]
    : command.subcommands.flatMap(({ commands }) =>
        commands.flatMap((each) => leavesOf(each, `${path} ${each.name}`))
      )
