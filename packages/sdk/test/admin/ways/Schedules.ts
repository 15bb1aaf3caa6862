/** Schedules, by endpoint of the contract. */
import type { Office } from "../Office.ts"
import type { Ways } from "../Ways.ts"

const create = ({ account, agent, key, task }: Office) =>
  account.schedules.create({
    key_id: key.id,
    name: "Nightly",
    every_seconds: 3_600,
    execution: { agent_id: agent.id, task_id: task.id }
  })

const withSchedule =
  <A>(use: (schedules: Office["account"]["schedules"], id: string) => Promise<A>) =>
  async (office: Office) =>
    use(office.account.schedules, (await create(office)).id)

export const scheduleWays: Ways = {
  "GET /accounts/:account_id/schedules": ({ account }) => account.schedules.list().toArray({ limit: 5 }),
  "POST /accounts/:account_id/schedules": create,
  "GET /accounts/:account_id/schedules/:id": withSchedule((schedules, id) => schedules.get(id)),
  "PATCH /accounts/:account_id/schedules/:id": withSchedule((schedules, id) =>
    schedules.update(id, { enabled: false })
  ),
  "POST /accounts/:account_id/schedules/:id/trigger": withSchedule((schedules, id) => schedules.trigger(id)),
  "DELETE /accounts/:account_id/schedules/:id": withSchedule((schedules, id) => schedules.remove(id))
}
