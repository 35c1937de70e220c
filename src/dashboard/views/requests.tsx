import { formatElapsed } from '../../domain/time-text.ts'
import { describeRow } from '../../view-model/detail/describe-row.ts'
import { httpStatusTone } from '../../view-model/detail/tones.ts'
import { type RequestRow, ROW_LIMITS } from '../../view-model/rows/rows.ts'
import { toneClass } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { dateFilter, timeColumn } from '../components/columns.tsx'
import { DetailFrame, NoDetail } from '../components/detail-frame.tsx'
import type { ListDefinition } from '../components/list-definition.ts'
import { PaneList } from '../components/pane-list.tsx'
import { textWidth } from '../components/table-layout.ts'
import { Blocks } from '../detail/blocks.tsx'
import { requestAsCurl } from '../detail/commands.ts'
import { useRowDetail } from '../detail/use-row-detail.ts'
import { usePerform } from '../state/perform.ts'
import { useStore } from '../state/store.ts'
import { useText } from '../text/translate.ts'

const timeOf = ({ request }: RequestRow) => request.sandbox_at ?? request.at

const LIST: ListDefinition<RequestRow> = {
  title: 'requests',
  searchHint: 'search_requests',
  limit: ROW_LIMITS.requests,
  empty: { title: 'no_requests', text: 'no_requests_text' },
  filters: [
    { key: 'status', title: 'status', read: ({ request }) => String(request.status) },
    { key: 'method', title: 'method', read: ({ request }) => request.method },
    { key: 'code', title: 'error_code', read: ({ request }) => request.code ?? '' },
    dateFilter(timeOf),
  ],
  columns: [
    {
      key: 'status',
      title: 'status',
      minWidth: 4.5,
      narrow: 'end',
      cell: ({ request }) => <strong class={toneClass(httpStatusTone(request.status))}>{request.status}</strong>,
      compare: (a, b) => a.request.status - b.request.status,
    },
    {
      key: 'request',
      title: 'request',
      minWidth: 10,
      contentWidth: ({ request }) => textWidth(`${request.method} ${request.path}`),
      narrow: 'start',
      cell: ({ request }) => (
        <code>
          {request.method} {request.path}
        </code>
      ),
    },
    {
      key: 'decided_by',
      title: 'decided_by',
      minWidth: 6,
      fills: true,
      narrow: 'below',
      cell: ({ request }) => request.code ?? <TranslatedText text={request.decided_by} />,
    },
    {
      key: 'ms',
      title: 'duration',
      minWidth: 5.5,
      align: 'end',
      cell: ({ request }) => <TranslatedText text={formatElapsed(request.ms)} />,
      compare: (a, b) => a.request.ms - b.request.ms,
    },
    timeColumn(timeOf, 'time_utc'),
  ],
}

/** Shows an English text of the shared view model in the language of the user. */
function TranslatedText({ text }: { readonly text: string | null | undefined }) {
  return <span class="quiet">{useText().label(text ?? '')}</span>
}

export const Requests = () => <PaneList pane="requests" list={LIST} Detail={RequestDetail} />

function RequestDetail({ id }: { readonly id: string }) {
  const t = useText()
  const perform = usePerform()
  const { model, session } = useStore().app
  const loaded = useRowDetail('requests', id)
  const request = loaded.request ?? model.tables.requests.get(id)?.request
  if (request === undefined) return <NoDetail {...loaded} />
  const view = describeRow({ id, request, lastMessageId: 0 }, loaded)
  return (
    <DetailFrame
      view={view}
      buttons={
        <Button onClick={() => void perform({ do: 'copy', text: requestAsCurl(session.base, request) })}>
          {t('copy_curl')}
        </Button>
      }
    >
      <Blocks blocks={view.blocks} />
    </DetailFrame>
  )
}
