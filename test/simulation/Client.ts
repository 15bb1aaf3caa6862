/** A machine beside the service that sends it requests, to whatever process answers, until one does. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Host } from "./Host.ts"
import type { Services } from "./ServiceProcess.ts"
import type { World } from "./World.ts"

/** Longest pause between two tries of a request, in milliseconds. */
const pauseMax = 2_000

export class Client {
  readonly world: World
  readonly host: Host

  constructor(world: World, name: string) {
    this.world = world
    this.host = world.host(name)
  }

  /** Sends the request until it is answered. */
  send<A, E>(request: Effect.Effect<A, E, Services>): Effect.Effect<A, E> {
    return Effect.suspend(
      () => this.world.anyProcess()?.answer(this.host, request) ?? Effect.succeedNone
    ).pipe(
      Effect.flatMap(
        Option.match({
          onNone: () => Effect.andThen(this.pause(pauseMax), this.send(request)),
          onSome: (answer) => Effect.succeed(answer)
        })
      )
    )
  }

  pause(milliseconds: number): Effect.Effect<void> {
    return Effect.suspend(() => Effect.sleep(this.world.chance.between(0, milliseconds)))
  }

  /** Stands still at once. */
  freeze(milliseconds: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.host.freeze(milliseconds)
      return Effect.sleep(0)
    })
  }
}
