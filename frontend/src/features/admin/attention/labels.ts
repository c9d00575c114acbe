import type { Attention, AttentionKind } from '@/api/types';
import { messages } from './messages';

const { kinds: text } = messages;

interface KindLabels {
  title: string;
  tone: 'error' | 'warning';
  /** What has happened, and what to do about it. */
  explain: (matter: Attention) => string;
}

export const kinds: Record<AttentionKind, KindLabels> = {
  mismatched: {
    title: text.mismatched.title,
    tone: 'error',
    explain: () => text.mismatched.explain,
  },
  refundFailed: {
    title: text.refundFailed.title,
    tone: 'error',
    explain: ({ name }) => text.refundFailed.explain(name),
  },
  refundOverdue: {
    title: text.refundOverdue.title,
    tone: 'warning',
    explain: () => text.refundOverdue.explain,
  },
  refundedElsewhere: {
    title: text.refundedElsewhere.title,
    tone: 'warning',
    explain: ({ shipped }) =>
      shipped ? text.refundedElsewhere.explainShipped : text.refundedElsewhere.explain,
  },
  disputed: {
    title: text.disputed.title,
    tone: 'error',
    explain: ({ shipped }) => (shipped ? text.disputed.explainShipped : text.disputed.explain),
  },
  disputeLost: {
    title: text.disputeLost.title,
    tone: 'error',
    explain: () => text.disputeLost.explain,
  },
  return: {
    title: text.return.title,
    tone: 'warning',
    explain: ({ name }) => text.return.explain(name),
  },
};

/** `expired_or_canceled_card` is `expired or canceled card`. */
export function reasonOf(word: string): string {
  return word.replaceAll('_', ' ');
}
