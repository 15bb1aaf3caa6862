/** Shown for an unknown address. */
import { EmptyState } from "../../parts/Parts.ts"
import { Head, pathTo } from "../../shell/Shell.ts"

export const NotFound = () => (
  <>
    <Head title="Not found" />
    <EmptyState
      title="There is no such page"
      action={
        <a class="btn" href={pathTo("/")}>
          Overview
        </a>
      }
    >
      The address may be cut off, or be from another version. The field on top takes any id.
    </EmptyState>
  </>
)
