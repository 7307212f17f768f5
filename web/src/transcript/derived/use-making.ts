import { useConfig } from '../../api/config.ts'
import { i18n } from '../../language/i18n.ts'
import { NOTES } from '../../note/use-transcript.ts'
import { call } from '../../session/client.ts'
import { useAction } from '../../ui/feedback/use-action.ts'

export const useTextModel = (): boolean => useConfig().data?.textModel ?? false

/** Asks the text model for the gist of a note, or for its translation into a language. */
export const useMaking = (id: string) =>
  useAction({
    send: (language?: string) =>
      language
        ? call('translate', { params: { id }, body: { language } })
        : call('makeGist', { params: { id } }),
    failed: i18n.t('That didn’t work'),
    reload: NOTES,
  })
