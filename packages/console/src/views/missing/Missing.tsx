/** An address that leads nowhere. */
import { None } from "../../parts/None.tsx"
import { Head } from "../../shell/Head.tsx"
import { pathTo } from "../../shell/Paths.ts"

export const Missing = () => (
  <>
    <Head title="Not found" />
    <None
      title="There is no such page"
      action={
        <a class="btn" href={pathTo("/")}>
          Overview
        </a>
      }
    >
      The address may be cut off, or be from another version. The field on top takes any id.
    </None>
  </>
)
