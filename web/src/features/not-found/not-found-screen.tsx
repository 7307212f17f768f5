import { PageTitle } from '../../ui/page-title.tsx'

export default function Screen() {
  return <PageTitle title="not-found" />
}
