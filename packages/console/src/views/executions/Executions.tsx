/** Executions. */
import { Head } from "../../shell/Head.tsx"

export const Executions = () => <Head title="Executions" />
