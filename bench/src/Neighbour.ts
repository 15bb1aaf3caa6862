/** A caller of another account, who creates one execution after the other and notices what else the service does. */
import { setTimeout as pause } from "node:timers/promises"
import * as Service from "./Service.ts"

/** Between two creates. */
const pauseMillis = 20

/** Gives creates that go on until told; they answer how long each took, in milliseconds. */
export const neighbour = ({ baseUrl }: Service.Service, caller: Service.Tenant) => {
  const url = `${baseUrl}/api/v1/integrations/executions`
  const creation = Service.creationBy(caller, null)
  return async (isOver: () => boolean): Promise<ReadonlyArray<number>> => {
    const took = new Array<number>()
    while (!isOver()) {
      const begun = performance.now()
      const answer = await fetch(url, { method: "POST", ...creation })
      await answer.text()
      if (answer.status !== 201) throw new Error(`A create was answered ${answer.status}`)
      took.push(performance.now() - begun)
      await pause(pauseMillis)
    }
    return took
  }
}
