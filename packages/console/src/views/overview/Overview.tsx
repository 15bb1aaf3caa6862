/** Overview. */
import { Head } from "../../shell/Head.tsx"

export const Overview = () => <Head title="Overview" />
