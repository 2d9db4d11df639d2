//! What a run recorded: columns, histograms, Parquet tables, the report.
