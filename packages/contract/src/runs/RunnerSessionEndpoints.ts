/** The runners of an account. */
import { AgentId, SessionId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { account, inAccount } from "../Audiences.ts"
import { operation } from "../Call.ts"
import { pageQuery } from "../shared/Envelope.ts"
import { RunnerSessionDrained, RunnerSessionPage } from "./RunnerSessionWire.ts"

export class RunnerSessionEndpoints extends HttpApiGroup.make("runnerSessions")
  .add(
    HttpApiEndpoint.get("list", "/sessions", {
      params: account,
      query: pageQuery,
      success: RunnerSessionPage
    }).annotateMerge(
      operation({
        path: "sessions.list",
        summary: "List runner processes",
        description: "The runner processes of the account, newest first.",
        example:
          "for await (const { runner_name, status } of account.sessions.list()) console.log(runner_name, status)"
      })
    ),
    HttpApiEndpoint.get("ofAgent", "/agents/:agent_id/sessions", {
      params: { ...account, agent_id: AgentId },
      query: pageQuery,
      success: RunnerSessionPage
    }).annotateMerge(
      operation({
        path: "agents.sessions",
        summary: "List the runner processes of an agent",
        description: "The runner processes that serve the agent, newest first.",
        example: "const [newest] = await account.agents.sessions(id).toArray({ limit: 1 })"
      })
    ),
    HttpApiEndpoint.post("drain", "/sessions/:session_id/drain", {
      params: { ...account, session_id: SessionId },
      success: RunnerSessionDrained
    }).annotateMerge(
      operation({
        path: "sessions.drain",
        summary: "Drain a runner process",
        description:
          "Gives the process no more work, and asks it to finish what it has and leave. It comes back when it is started again.",
        isRepeatable: true,
        example: "await account.sessions.drain(id)"
      })
    )
  )
  .annotate(OpenApi.Description, "The runner processes of an account.")
  .pipe(inAccount) {}
