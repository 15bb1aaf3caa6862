/** Signals between the processes of a simulation: they arrive late, or are lost, as hints may. */
import { Signals } from "@runhook/core/signals/Signals"
import * as InProcessSignals from "@runhook/core/signals/InProcessSignals"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ServiceProcess } from "./ServiceProcess.ts"

/** Slowest, in milliseconds. */
const onTheWayMax = 20

export const layer = (process: ServiceProcess): Layer.Layer<Signals> =>
  Layer.effect(
    Signals,
    Effect.map(Signals, (own) => {
      const { chance, host, world } = process
      process.hear = (topics) => void host.run(own.notify(topics))
      return Signals.of({
        ...own,
        notify: (topics) =>
          Effect.andThen(
            own.notify(topics),
            Effect.sync(() => {
              for (const other of world.processes)
                if (other !== process && !chance.happens(world.rates.signalLost))
                  other.host.after(chance.between(0, onTheWayMax), () => other.hear(topics))
            })
          )
      })
    })
  ).pipe(Layer.provide(InProcessSignals.layer))
