/** Which view a path shows. Each is loaded when it is opened. */
import { type FunctionComponent, h } from "preact"
import { NotFound } from "../views/not-found/NotFound.tsx"
import { Boundary } from "./Boundary.tsx"
import { lazy } from "./Lazy.tsx"
import { useLocation } from "./Location.ts"
import { root } from "./Paths.ts"
import { usePlaces } from "./Places.ts"

const views: ReadonlyArray<readonly [path: string, view: FunctionComponent<{ readonly id: string }>]> = [
  ["", lazy(() => import("../views/overview/Overview.tsx").then((view) => view.Overview))],
  ["/executions", lazy(() => import("../views/executions/Executions.tsx").then((view) => view.Executions))],
  ["/executions/:id", lazy(() => import("../views/executions/Execution.tsx").then((view) => view.Execution))],
  ["/deliveries", lazy(() => import("../views/deliveries/Deliveries.tsx").then((view) => view.Deliveries))],
  ["/deliveries/:id", lazy(() => import("../views/deliveries/Delivery.tsx").then((view) => view.Delivery))],
  [
    "/dead-letters",
    lazy(() => import("../views/dead-letters/DeadLetters.tsx").then((view) => view.DeadLetters))
  ],
  ["/replays/:id", lazy(() => import("../views/dead-letters/Replay.tsx").then((view) => view.Replay))],
  ["/test-webhook", lazy(() => import("../views/test-webhook/TestPage.tsx").then((view) => view.TestPage))],
  ["/receivers", lazy(() => import("../views/receivers/Receivers.tsx").then((view) => view.Receivers))],
  ["/tasks", lazy(() => import("../views/tasks/Tasks.tsx").then((view) => view.Tasks))],
  ["/tasks/new", lazy(() => import("../views/tasks/NewTask.tsx").then((view) => view.NewTask))],
  ["/tasks/:id", lazy(() => import("../views/tasks/Task.tsx").then((view) => view.Task))],
  ["/agents", lazy(() => import("../views/agents/Agents.tsx").then((view) => view.Agents))],
  ["/agents/:id", lazy(() => import("../views/agents/Agent.tsx").then((view) => view.Agent))],
  ["/keys", lazy(() => import("../views/keys/Keys.tsx").then((view) => view.Keys))],
  ["/keys/new", lazy(() => import("../views/keys/NewKey.tsx").then((view) => view.NewKey))],
  ["/keys/:id", lazy(() => import("../views/keys/Key.tsx").then((view) => view.Key))],
  ["/access", lazy(() => import("../views/access/Access.tsx").then((view) => view.Access))],
  ["/alerts", lazy(() => import("../views/alerts/Alerts.tsx").then((view) => view.Alerts))],
  ["/usage", lazy(() => import("../views/usage/Usage.tsx").then((view) => view.Usage))],
  ["/audit", lazy(() => import("../views/audit/Audit.tsx").then((view) => view.Audit))]
]

/** Within the boundary, since an address typed by hand may not be decodable. */
const View = ({ path }: { readonly path: string }) => {
  const below = path.slice(root.length)
  const at = below.lastIndexOf("/")
  const viewAt = (wanted: string) => views.find(([each]) => each === wanted)?.[1]
  const found = viewAt(below) ?? viewAt(`${below.slice(0, at)}/:id`) ?? NotFound
  return h(found, { id: decodeURIComponent(below.slice(at + 1)) })
}

export const Router = () => {
  const { path } = useLocation()
  usePlaces()
  return (
    <Boundary path={path}>
      <View path={path} />
    </Boundary>
  )
}
