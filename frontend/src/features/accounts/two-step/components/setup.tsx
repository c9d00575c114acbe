import { AppSetup } from './app-setup';
import { PasskeySetup } from './passkey-setup';
import { RecoveryCodes } from './recovery-codes';

/** What is being added, or the codes to be kept. */
export type Doing = 'app' | 'passkey' | { codes: string[] };

interface SetupProps {
  doing: Doing;
  onAdded: (codes: string[]) => void;
  onClose: () => void;
}

/** What the profile's card opens a dialog for. */
export default function Setup({ doing, onAdded, onClose }: SetupProps) {
  if (doing === 'app') return <AppSetup onAdded={onAdded} onCancel={onClose} />;
  if (doing === 'passkey') return <PasskeySetup onAdded={onAdded} onCancel={onClose} />;
  return <RecoveryCodes codes={doing.codes} onDone={onClose} />;
}
