/** Which view a path shows. Each is loaded when it is opened. */
import { Route, Router as Routes, useLocation } from "preact-iso/router"
import { NotFound } from "../views/not-found/NotFound.tsx"
import { Boundary } from "./Boundary.tsx"
import { lazy } from "./Lazy.tsx"
import { root } from "./Paths.ts"

const Overview = lazy(() => import("../views/overview/Overview.tsx").then((view) => view.Overview))
const Executions = lazy(() => import("../views/executions/Executions.tsx").then((view) => view.Executions))
const Execution = lazy(() => import("../views/executions/Execution.tsx").then((view) => view.Execution))
const Deliveries = lazy(() => import("../views/deliveries/Deliveries.tsx").then((view) => view.Deliveries))
const Delivery = lazy(() => import("../views/deliveries/Delivery.tsx").then((view) => view.Delivery))
const DeadLetters = lazy(() =>
  import("../views/dead-letters/DeadLetters.tsx").then((view) => view.DeadLetters)
)
const Replay = lazy(() => import("../views/dead-letters/Replay.tsx").then((view) => view.Replay))
const TestPage = lazy(() => import("../views/test-webhook/TestPage.tsx").then((view) => view.TestPage))
const Receivers = lazy(() => import("../views/receivers/Receivers.tsx").then((view) => view.Receivers))
const Tasks = lazy(() => import("../views/tasks/Tasks.tsx").then((view) => view.Tasks))
const NewTask = lazy(() => import("../views/tasks/NewTask.tsx").then((view) => view.NewTask))
const Task = lazy(() => import("../views/tasks/Task.tsx").then((view) => view.Task))
const Agents = lazy(() => import("../views/agents/Agents.tsx").then((view) => view.Agents))
const Agent = lazy(() => import("../views/agents/Agent.tsx").then((view) => view.Agent))
const Keys = lazy(() => import("../views/keys/Keys.tsx").then((view) => view.Keys))
const NewKey = lazy(() => import("../views/keys/NewKey.tsx").then((view) => view.NewKey))
const Key = lazy(() => import("../views/keys/Key.tsx").then((view) => view.Key))
const Usage = lazy(() => import("../views/usage/Usage.tsx").then((view) => view.Usage))
const Audit = lazy(() => import("../views/audit/Audit.tsx").then((view) => view.Audit))

export const Router = () => (
  <Boundary path={useLocation().path}>
    <Routes>
      <Route path={root} component={Overview} />
      <Route path={`${root}/executions`} component={Executions} />
      <Route path={`${root}/executions/:id`} component={Execution} />
      <Route path={`${root}/deliveries`} component={Deliveries} />
      <Route path={`${root}/deliveries/:id`} component={Delivery} />
      <Route path={`${root}/dead-letters`} component={DeadLetters} />
      <Route path={`${root}/replays/:id`} component={Replay} />
      <Route path={`${root}/test-webhook`} component={TestPage} />
      <Route path={`${root}/receivers`} component={Receivers} />
      <Route path={`${root}/tasks`} component={Tasks} />
      <Route path={`${root}/tasks/new`} component={NewTask} />
      <Route path={`${root}/tasks/:slug`} component={Task} />
      <Route path={`${root}/agents`} component={Agents} />
      <Route path={`${root}/agents/:id`} component={Agent} />
      <Route path={`${root}/keys`} component={Keys} />
      <Route path={`${root}/keys/new`} component={NewKey} />
      <Route path={`${root}/keys/:id`} component={Key} />
      <Route path={`${root}/usage`} component={Usage} />
      <Route path={`${root}/audit`} component={Audit} />
      <Route default component={NotFound} />
    </Routes>
  </Boundary>
)
