/** Usage. */
import { Head } from "../../shell/Head.tsx"

export const Usage = () => <Head title="Usage" />
