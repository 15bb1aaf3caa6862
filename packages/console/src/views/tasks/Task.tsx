/** Task. */
import { Id } from "../../parts/Id.tsx"
import { Head } from "../../shell/Head.tsx"

export const Task = ({ slug }: { readonly slug: string }) => (
  <Head title="Task">
    <Id of={slug} isWhole />
  </Head>
)
