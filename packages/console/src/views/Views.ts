/** Which view a path shows; `:id` stands for its last part. They are loaded together when the first of them is opened. */
import type { FunctionComponent } from "preact"
// In the order in which they compress best: a tenth of a kB may lie between two.
import { DeadLetters } from "./dead-letters/DeadLetters.tsx"
import { Receivers } from "./receivers/Receivers.tsx"
import { Replay } from "./dead-letters/Replay.tsx"
import { Usage } from "./usage/Usage.tsx"
import { Cancel } from "./executions/Cancel.tsx"
import { Deliveries } from "./deliveries/Deliveries.tsx"
import { Delivery } from "./deliveries/Delivery.tsx"
import { Audit } from "./audit/Audit.tsx"
import { Execution } from "./executions/Execution.tsx"
import { Executions } from "./executions/Executions.tsx"
import { Schedules } from "./schedules/Schedules.tsx"
import { Task } from "./tasks/Task.tsx"
import { Schedule } from "./schedules/Schedule.tsx"
import { Tasks } from "./tasks/Tasks.tsx"
import { Agents } from "./agents/Agents.tsx"
import { NewTask } from "./tasks/NewTask.tsx"
import { NewKey } from "./keys/NewKey.tsx"
import { TestPage } from "./test-webhook/TestWebhook.tsx"
import { NotFound } from "./not-found/NotFound.tsx"
import { Endpoints } from "./endpoints/Endpoints.tsx"
import { Alerts } from "./alerts/Alerts.tsx"
import { Endpoint } from "./endpoints/Endpoint.tsx"
import { Agent } from "./agents/Agent.tsx"
import { Access } from "./access/Access.tsx"
import { Key } from "./keys/Key.tsx"
import { Keys } from "./keys/Keys.tsx"

type View = FunctionComponent<{ readonly id: string }>

const views: { readonly [path: string]: View } = {
  "/executions": Executions,
  "/executions/:id": Execution,
  "/cancels/:id": Cancel,
  "/deliveries": Deliveries,
  "/deliveries/:id": Delivery,
  "/endpoints": Endpoints,
  "/endpoints/:id": Endpoint,
  "/dead-letters": DeadLetters,
  "/replays/:id": Replay,
  "/test-webhook": TestPage,
  "/receivers": Receivers,
  "/tasks": Tasks,
  "/tasks/new": NewTask,
  "/tasks/:id": Task,
  "/schedules": Schedules,
  "/schedules/:id": Schedule,
  "/agents": Agents,
  "/agents/:id": Agent,
  "/keys": Keys,
  "/keys/new": NewKey,
  "/keys/:id": Key,
  "/access": Access,
  "/alerts": Alerts,
  "/usage": Usage,
  "/audit": Audit
}

/** The view at a path below the root, and the last part of the path. */
export const viewAt = (path: string): readonly [view: View, id: string] => {
  const at = path.lastIndexOf("/")
  const view = views[path] ?? views[`${path.slice(0, at)}/:id`] ?? NotFound
  return [view, decodeURIComponent(path.slice(at + 1))]
}
