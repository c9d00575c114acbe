import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { addToGarage, readGarage, removeFromGarage, useGarage } from './garage';

const camry = { vehicle: 8123, engine: 77, label: '2014 Toyota Camry 2.5 L' };

describe('the garage', () => {
  it('has what was chosen last first, each vehicle once, and forgets what is taken out', () => {
    const { result } = renderHook(useGarage);
    act(() => {
      addToGarage(camry);
      addToGarage({ vehicle: 8123, label: '2014 Toyota Camry' });
      addToGarage(camry);
    });
    expect(result.current.map(({ label }) => label)).toEqual([
      '2014 Toyota Camry 2.5 L',
      '2014 Toyota Camry',
    ]);
    act(() => removeFromGarage(camry));
    expect(result.current).toEqual([{ vehicle: 8123, label: '2014 Toyota Camry' }]);
  });

  it('holds two hundred', () => {
    for (let vehicle = 1; vehicle <= 205; vehicle += 1) addToGarage({ vehicle, label: 'Van' });
    expect(readGarage()).toHaveLength(200);
    expect(readGarage()[0]?.vehicle).toBe(205);
  });

  it('is empty where something else is stored', () => {
    for (const text of ['{', '{}', '[{"vehicle":"1","label":"x"}]', '[{"vehicle":1}]']) {
      localStorage.setItem('garage', text);
      expect(readGarage()).toEqual([]);
    }
  });
});
