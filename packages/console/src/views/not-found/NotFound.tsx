/** Shown for an unknown address. */
import { EmptyState } from "../../parts/EmptyState.tsx"
import { Head } from "../../shell/Head.tsx"
import { pathTo } from "../../shell/Paths.ts"

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
