/** New task. */
import { Head } from "../../shell/Head.tsx"

export const NewTask = () => <Head title="New task" />
