/** The versions of a task, for the form that runs it and the list that manages them. */
import type { TaskDetail, TaskVersion } from "@runhook/sdk/admin"
import { useRef } from "preact/hooks"
import { type Resource, useLoad } from "../../data/Data.ts"
import { account } from "../../session/Session.ts"

/** Most versions that are listed. */
const listed = 50

export type VersionsOfTask = Pick<Resource<ReadonlyArray<TaskVersion>>, "data" | "error" | "reload">

/** Newest first, with the current one however old it is. */
export const useVersions = (task: TaskDetail): VersionsOfTask => {
  const { data, error, reload } = useLoad(`versions ${task.id} ${task.updated_at}`, (signal) =>
    account.value.tasks.versions(task.id, { limit: listed }, { signal }).page()
  )
  // Those of before stay until the ones after a change come, so that what is open or chosen stays so.
  const latest = useRef(data)
  latest.current = data ?? latest.current
  const versions = latest.current && withVersion(latest.current.data, task.current_version)
  return { data: versions, error, reload }
}

/** These and that one, unless it is among them. */
export const withVersion = (
  versions: ReadonlyArray<TaskVersion>,
  version: TaskVersion | null | undefined
): ReadonlyArray<TaskVersion> =>
  version && versions.every(({ id }) => id !== version.id) ? [...versions, version] : versions

export const versionWords = ({ number, tags }: TaskVersion): string => [String(number), ...tags].join(" ")
