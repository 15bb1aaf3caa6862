/** The views in the sidebar, with their keys. */
import { root } from "./Paths.ts"

export interface NavigationLink {
  readonly path: string
  readonly title: string
  /** Pressed after G. */
  readonly key: string
  /** The name of the group that begins here. */
  readonly group?: string
}

export const navigation: ReadonlyArray<NavigationLink> = [
  { path: "/", title: "Overview", key: "o" },
  { path: "/executions", title: "Executions", key: "e" },
  { path: "/deliveries", title: "Deliveries", key: "d" },
  { path: "/endpoints", title: "Endpoints", key: "w" },
  { path: "/dead-letters", title: "Dead letters", key: "l" },
  { path: "/receivers", title: "Receivers", key: "r" },
  { path: "/tasks", title: "Tasks", key: "t", group: "Work" },
  { path: "/schedules", title: "Schedules", key: "c" },
  { path: "/agents", title: "Agents", key: "a" },
  { path: "/keys", title: "API keys", key: "k", group: "Account" },
  { path: "/alerts", title: "Alerts", key: "n" },
  { path: "/access", title: "Access", key: "p" },
  { path: "/usage", title: "Usage", key: "s" },
  { path: "/audit", title: "Audit log", key: "u" }
]

/** The list of detail pages whose path is not below it. */
const homes: { readonly [first: string]: string } = { cancels: "/executions", replays: "/dead-letters" }

/** The sidebar link that a path belongs to. */
export const currentLink = (path: string): NavigationLink | undefined => {
  const [, first = ""] = path.slice(root.length).split("/")
  const home = homes[first] ?? `/${first}`
  return navigation.find((link) => link.path === home)
}
