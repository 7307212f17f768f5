import { Icon } from './icon.tsx'

/** Questions that open to their answers. */
export const Questions = ({ title, questions }: { title: string; questions: Record<string, string> }) => (
  <section>
    <h2 className="text-3xl">{title}</h2>
    <div className="mt-6 border-line border-t">
      {Object.entries(questions).map(([question, answer]) => (
        <details key={question} className="group border-line border-b">
          <summary className="flex list-none items-center justify-between gap-4 py-4 font-semibold text-lg hover:text-accent [&::-webkit-details-marker]:hidden">
            {question}
            <Icon of="M12 3v18M3 12h18" width={3} className="size-4 shrink-0 group-open:rotate-45" />
          </summary>
          <p className="max-w-prose pb-5 text-soft">{answer}</p>
        </details>
      ))}
    </div>
  </section>
)
