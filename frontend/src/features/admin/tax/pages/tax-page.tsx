import { TabsPage } from '../../shared/components/tabs-page';
import { ExemptionList } from '../components/exemption-list';
import { ImportRates } from '../components/import-rates';
import { RateList } from '../components/rate-list';
import { messages } from '../messages';

/** What is charged on top, where it is not, and files of rates. */
export default function TaxPage() {
  return (
    <TabsPage
      heading={messages.heading}
      intro={messages.intro}
      label={messages.lists}
      tabs={[
        { value: 'rates', label: messages.rates.title, List: RateList },
        { value: 'import', label: messages.import.title, List: ImportRates },
        { value: 'exemptions', label: messages.exemptions.title, List: ExemptionList },
      ]}
    />
  );
}
