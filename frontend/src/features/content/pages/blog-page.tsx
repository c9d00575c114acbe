import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';

interface Entry {
  question: string;
  answer: ReactNode;
}

function Code({ children }: { children: string }) {
  return <code className="rounded-field bg-base-200 px-1.5 py-0.5 text-[0.9em]">{children}</code>;
}

const entries: readonly Entry[] = [
  {
    question: 'When should a React component hold state, and when should it compute?',
    answer: (
      <>
        <p>
          Hold what cannot be worked out from anything else: what somebody typed, whether a dialog
          is open, what the server said. Compute the rest while rendering. A total is units times
          price; kept in a state of its own, it is one forgotten update away from being wrong.
        </p>
        <p>
          An effect that only copies one state into another is the usual sign of a value that should
          have been computed. If the computation is slow, and a profiler says so, wrap it in{' '}
          <Code>useMemo</Code>. It is still not state.
        </p>
      </>
    ),
  },
  {
    question: 'What is useEffect for, if not for reacting to a click?',
    answer: (
      <>
        <p>
          For keeping something outside React in step with what is on the screen: a subscription, a
          timer, the page title, a canvas. It runs because the component is shown, not because
          somebody did something.
        </p>
        <p>
          What happens because of a click belongs in the click's handler, where you know which
          button it was. And whatever an effect starts, the function that it returns must stop. In
          development <Code>StrictMode</Code> mounts everything twice to show which effects forgot.
        </p>
      </>
    ),
  },
  {
    question: 'Why does a list need keys, and why not the index?',
    answer: (
      <>
        <p>
          React matches the rows of the last rendering with those of this one by key. With the right
          key, a row keeps its focus, its half-typed text and its place in the page while others
          come and go around it.
        </p>
        <p>
          The index names a place, not a row. Delete the first of three orders, and the second
          inherits its open menu. Use the id that the data already has. The index is fine for a list
          that never changes its order, such as the five stars of a rating.
        </p>
      </>
    ),
  },
  {
    question: 'What should a component test look at?',
    answer: (
      <>
        <p>
          At what a person would notice. Find the button by its role and name, press it, and expect
          the sentence that appears. Testing Library's <Code>getByRole</Code> does both jobs at
          once: if it cannot find your button, a screen reader cannot either.
        </p>
        <p>
          Leave out which hooks were called and what the state is named. Such a test fails on every
          tidy-up and passes when the page is broken. Answer the network at its edge, with a mock
          server, so that the code which builds the request is tested too.
        </p>
      </>
    ),
  },
  {
    question: 'How many unit, integration and end-to-end tests are enough?',
    answer: (
      <>
        <p>
          Put each test at the lowest level that can see the mistake. Rules such as rounding money
          are plain functions: test them by the dozen, in milliseconds. Forms, lists and dialogs
          deserve tests of whole components. A browser that signs up, orders and pays proves that
          the parts fit together; a handful of such journeys goes a long way.
        </p>
        <p>
          Coverage tells you what no test has run, never that the rest is right. A better question:
          if I break this line on purpose, does anything turn red? A test that cannot fail is worse
          than none, because somebody trusts it.
        </p>
      </>
    ),
  },
];

/** Five questions that native disclosure answers: they open before any script has run. */
export default function BlogPage() {
  return (
    <>
      <h1 className="heading-mark mb-4 text-4xl sm:text-5xl">Blog</h1>
      <p className="mb-8 max-w-prose text-muted">
        Five questions about React and testing, from the people who built this shop's screens.
      </p>
      <div className="grid max-w-4xl gap-4">
        {entries.map(({ question, answer }, place) => (
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
            <div className="grid gap-3 px-4 pt-1 pb-5 pl-14 sm:px-6 sm:pb-6 sm:pl-16">{answer}</div>
          </details>
        ))}
      </div>
    </>
  );
}
