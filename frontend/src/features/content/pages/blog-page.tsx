import { ChevronDown } from 'lucide-react';
import { blogEntries, blogMessages } from '../blog-messages';

/** A paragraph; text between backticks is code. */
function Paragraph({ text }: { text: string }) {
  return (
    <p>
      {text.split('`').map((part, place) =>
        place % 2 === 0 ? (
          part
        ) : (
          <code key={part} className="rounded-field bg-base-200 px-1.5 py-0.5 text-[0.9em]">
            {part}
          </code>
        ),
      )}
    </p>
  );
}

/** Five questions that native disclosure answers: they open before any script has run. */
export default function BlogPage() {
  return (
    <>
      <h1 className="heading-mark mb-4 text-4xl sm:text-5xl">{blogMessages.heading}</h1>
      <p className="mb-8 max-w-prose text-muted">{blogMessages.intro}</p>
      <div className="grid max-w-4xl gap-4">
        {blogEntries.map(({ question, answer }, place) => (
          <details key={question} open={place === 0} className="card-surface group">
            <summary className="flex min-h-11 cursor-pointer list-none items-start gap-4 rounded-box p-4 hover:bg-base-200 sm:px-6 sm:py-5 [&::-webkit-details-marker]:hidden">
              <span
                aria-hidden="true"
                className="w-6 shrink-0 font-display text-2xl leading-tight font-bold text-accent"
              >
                {place + 1}
              </span>
              <h2 className="flex-1 text-xl normal-case sm:text-2xl">{question}</h2>
              <ChevronDown
                aria-hidden="true"
                className="mt-0.5 size-6 shrink-0 text-muted transition-transform group-open:rotate-180"
              />
            </summary>
            <div className="grid gap-3 px-4 pt-1 pb-5 pl-14 sm:px-6 sm:pb-6 sm:pl-16">
              {answer.map((text) => (
                <Paragraph key={text} text={text} />
              ))}
            </div>
          </details>
        ))}
      </div>
    </>
  );
}
