/** Tasks. */
import { Head } from "../../shell/Head.tsx"

export const Tasks = () => <Head title="Tasks" />
