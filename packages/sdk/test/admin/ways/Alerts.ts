/** Alerts and their targets, of an account and of the operator, by endpoint of the contract. */
import type { Office } from "../Office.ts"
import type { Ways } from "../Ways.ts"

type Alerts = Office["admin"]["alerts"]

const waysBelow = (root: string, alertsOf: (office: Office) => Alerts): Ways => {
  const withTarget =
    <A>(use: (targets: Alerts["targets"], id: string) => Promise<A>) =>
    async (office: Office) => {
      const { targets } = alertsOf(office)
      const { id } = await targets.create({ channel: "webhook", address: `${office.service.url}/nobody` })
      return use(targets, id)
    }
  return {
    [`GET ${root}/alerts`]: (office) => alertsOf(office).list(),
    [`GET ${root}/alert-targets`]: (office) => alertsOf(office).targets.list(),
    [`POST ${root}/alert-targets`]: withTarget(async (_, id) => id),
    [`GET ${root}/alert-targets/:id`]: withTarget((targets, id) => targets.get(id)),
    [`PATCH ${root}/alert-targets/:id`]: withTarget((targets, id) =>
      targets.update(id, { kinds: ["no_runner"] })
    ),
    [`DELETE ${root}/alert-targets/:id`]: withTarget((targets, id) => targets.remove(id)),
    [`POST ${root}/alert-targets/:id/test`]: withTarget((targets, id) => targets.test(id))
  }
}

export const alertWays: Ways = {
  ...waysBelow("", ({ admin }) => admin.alerts),
  ...waysBelow("/accounts/:account_id", ({ account }) => account.alerts)
}
