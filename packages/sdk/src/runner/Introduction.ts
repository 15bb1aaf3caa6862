/** How a runner says who it is. */
import type { OpenSession } from "../wire/Runner.ts"
import type { RunnerSettings } from "./Options.ts"

export const introduction = ({
  agentIds,
  capacity,
  instanceId,
  labels,
  name,
  version
}: RunnerSettings): OpenSession => ({
  instance_id: instanceId,
  runner_name: name,
  capacity,
  agent_ids: agentIds,
  labels,
  version
})
