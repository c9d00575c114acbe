interface Entry {
  question: string;
  /** Its paragraphs; text between backticks is code. */
  answer: readonly string[];
}

export const blogMessages = {
  heading: 'Blog', // spec
  intro: 'Five questions about React and testing, answered by the people who build this shop.',
};

export const blogEntries: readonly Entry[] = [
  {
    question: 'When should a React component store a value, and when should it compute it?',
    answer: [
      "Store what you can't work out from anything else: what someone typed, whether a dialog is open, what the server said. Compute the rest while rendering. A total is quantity times price; kept in state of its own, it's one forgotten update away from being wrong.",
      "An effect that only copies one piece of state into another is the usual sign of a value that should have been computed. If the computation is slow, and a profiler says so, wrap it in `useMemo`. It still isn't state.",
    ],
  },
  {
    question: 'What is useEffect for, if not for reacting to a click?',
    answer: [
      "It's for keeping something outside React in sync with what's on the screen: a subscription, a timer, the page title, a canvas. It runs because the component is shown, not because someone did something.",
      'What happens because of a click belongs in the click handler, where you know which button it was. And whatever an effect starts, the function it returns must stop. In development, `StrictMode` mounts everything twice to show you which effects forgot.',
    ],
  },
  {
    question: 'Why does a list need keys, and why not use the index?',
    answer: [
      'React matches the rows of the last render with the rows of this one by key. With the right key, a row keeps its focus, its half-typed text and its place on the page while others come and go around it.',
      'The index names a position, not a row. Delete the first of three orders, and the second inherits its open menu. Use the id your data already has. The index is fine for a list that never changes its order, such as the five stars of a rating.',
    ],
  },
  {
    question: 'What should a component test check?',
    answer: [
      "What a person would notice. Find the button by its role and name, press it, and expect the sentence that appears. Testing Library's `getByRole` does two jobs at once: if it can't find your button, a screen reader can't either.",
      'Leave out which hooks were called and what the state is named. A test like that fails on every refactoring and passes when the page is broken. Mock the network at its edge, with a mock server, so that the code that builds the request gets tested too.',
    ],
  },
  {
    question: 'How many unit, integration and end-to-end tests are enough?',
    answer: [
      'Put each test at the lowest level that can catch the mistake. Rules such as rounding money are plain functions: test them by the dozen, in milliseconds. Forms, lists and dialogs deserve tests of whole components. A browser that signs up, orders and pays proves that the parts fit together; a handful of those journeys goes a long way.',
      "Coverage tells you what no test has run, never that the rest is right. A better question: if I break this line on purpose, does anything turn red? A test that can't fail is worse than none, because someone trusts it.",
    ],
  },
];
