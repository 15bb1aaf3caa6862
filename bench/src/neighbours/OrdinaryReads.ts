/** The measure of the others: one execution, read again and again by as many callers. */
import * as Service from "../Service.ts"
import { type Attack, asking } from "./Attack.ts"

export const ordinaryReads: Attack = {
  callers: 4,
  prepare: async ({ service }) => {
    const tenant = await Service.makeTenant(service, 1)
    const ask = asking(service)
    return async () => {
      const { status } = await ask({
        method: "GET",
        path: "/integrations/executions?limit=1",
        key: tenant.key
      })
      return status
    }
  }
}
