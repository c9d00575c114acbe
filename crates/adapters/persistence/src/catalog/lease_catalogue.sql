-- Takes or keeps the lease on writing to the search engine, unless another copy has it.
UPDATE catalogue_lease SET holder = :holder, until = clock_timestamp() + :lease_ms * interval '1 millisecond'
WHERE holder = :holder OR until < clock_timestamp()
