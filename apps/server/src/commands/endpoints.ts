/** `runhook endpoints`: standing endpoints, which get the events of all executions. */
import { ExecutionEventType } from "@runhook/core/domain/delivery/WebhookEventType"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import { CommandFailed } from "../logging/Reporting.ts"
import { group } from "./Catalog.ts"
import { plain } from "./contract/PlainCommand.ts"
import { type EndpointHolder, endpointIn, ofHolder } from "./EndpointHolder.ts"
import { endpointArgument, idOf, idsOf, optional, several } from "./Names.ts"

const endpointOf = (holder: EndpointHolder, meant: string): Promise<string> => idOf(meant, endpointIn(holder))

/** Which events an endpoint gets; null means all of them. */
export const chosenEvents = {
  event_types: Flag.Literals("event", ExecutionEventType.literals).pipe(
    Flag.withDescription("This event; may be repeated (default: all)"),
    Flag.atLeast(0),
    Flag.map((types) => (types.length === 0 ? null : types))
  ),
  tasks: several("task"),
  agents: several("agent")
}

/** The same, as the API takes it. */
export const chosenIn = async (
  { agents: agentsOfHolder, tasks: tasksOfHolder }: EndpointHolder,
  {
    agents,
    event_types,
    tasks
  }: {
    readonly event_types: ReadonlyArray<ExecutionEventType> | null
    readonly tasks: ReadonlyArray<string> | null
    readonly agents: ReadonlyArray<string> | null
  }
) => ({
  event_types,
  task_ids: await idsOf(tasks, tasksOfHolder),
  agent_ids: await idsOf(agents, agentsOfHolder)
})

const description = optional(Flag.String("description").pipe(Flag.withDescription("What it is, for people")))

const isGiven = (name: string, about: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(about), Flag.withDefault(false))

const create = ofHolder(
  "create",
  {
    about: "Have events sent to a URL, or fetched with --poll. The signing secret is printed this once.",
    takes: {
      url: Argument.String("url").pipe(Argument.withDescription("Where they are sent"), Argument.optional),
      isPolled: isGiven("poll", "They are fetched as messages, in place of a URL"),
      remove_after_seconds: optional(
        Flag.Int("remove-after").pipe(
          Flag.withMetavar("seconds"),
          Flag.withDescription("With --poll: remove it when nobody has fetched for so long (default: never)")
        )
      ),
      description,
      chosen: chosenEvents
    },
    examples: [
      {
        command: "runhook endpoints create https://hooks.example.com/all --event execution.failed",
        description: "Every failure"
      }
    ]
  },
  async (holder, { chosen, description: words, isPolled, remove_after_seconds, url }) => {
    if (isPolled === Option.isSome(url))
      throw new CommandFailed({ reason: "Name a URL, or --poll: one of the two", exitCode: 2 })
    return holder.endpoints.create({
      kind: isPolled ? "poll" : "push",
      url: Option.getOrUndefined(url),
      description: words,
      remove_after_seconds,
      ...(await chosenIn(holder, chosen))
    })
  }
)

const update = ofHolder(
  "update",
  {
    about: "Change where an endpoint's events are sent, or which it gets: only what is named changes",
    takes: {
      endpoint: endpointArgument,
      url: optional(Flag.String("url").pipe(Flag.withDescription("Where they are sent"))),
      description,
      chosen: chosenEvents,
      isAll: isGiven("all", "It gets all events, unless others are named")
    }
  },
  async (holder, { chosen, description: words, endpoint: meant, isAll, url }) => {
    const entries = Object.entries(await chosenIn(holder, chosen)).filter(
      ([, value]) => isAll || value !== null
    )
    return holder.endpoints.update(await endpointOf(holder, meant), {
      url,
      description: words,
      ...Object.fromEntries(entries)
    })
  }
)

export const endpointsCommand = group("endpoints", "Keep receivers of the events of all executions", [
  plain("endpoints", "list"),
  create,
  plain("endpoints", "get"),
  update,
  plain("endpoints", "pause"),
  plain("endpoints", "resume"),
  plain("endpoints", "rotate"),
  plain("endpoints", "test"),
  plain("endpoints", "remove")
])
