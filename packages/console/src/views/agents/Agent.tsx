/** Agent. */
import { Id } from "../../parts/Id.tsx"
import { Head } from "../../shell/Head.tsx"

export const Agent = ({ id }: { readonly id: string }) => (
  <Head title="Agent">
    <Id of={id} isWhole />
  </Head>
)
