"""The contract tests that do not run on a server, each with the reason. All others do: the fixture `memory`."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

NOT_ON_A_SERVER: Mapping[str, frozenset[str]] = {  # reason: file and test
    "prepares or reads the store with its internal parts, which are in the server's process": frozenset([
        "automatic_pins::test_an_edit_keeps_the_pin_of_unchanged_text_and_erases_the_pin_of_removed_text",
        "changes::test_changes_older_than_a_month_are_deleted",
        "changes::test_records_deleted_with_their_conversation_get_no_change_of_their_own",
        "consolidation::test_duplicate_facts_are_merged_with_their_evidence_and_undo_splits_them",
        "consolidation::test_thousands_of_facts_are_consolidated_in_pages",
        "context::test_completed_summaries_are_shown_and_unfinished_ones_are_not",
        "context::test_the_last_summaries_before_a_long_history_are_included",
        "costs::test_a_rejected_call_leaves_no_row",
        "costs::test_concurrent_threads_never_exceed_the_cap",
        "costs::test_costs_are_summed_by_model_and_operation_per_space_and_time_range",
        "costs::test_reserved_tokens_count_until_they_are_settled",
        "costs::test_tokens_of_the_previous_day_do_not_count",
        "export::test_a_failed_export_or_import_reports_the_reason",
        "export::test_a_message_with_the_same_id_and_other_content_is_a_conflict",
        "export::test_a_space_can_be_imported_under_another_name",
        "export::test_a_summary_in_progress_is_not_exported",
        "export::test_an_export_of_format_version_1_can_be_imported",
        "export::test_an_import_neither_duplicates_nor_loses_access_counts",
        "export::test_an_imported_space_has_the_same_records_ids_and_times",
        "export::test_an_invalid_summary_or_access_is_rejected",
        "export::test_importing_twice_changes_nothing",
        "export::test_reformatted_json_files_can_be_imported",
        "export::test_the_exported_files_are_readable_json",
        "facts::test_a_message_read_twice_is_one_piece_of_evidence",
        "facts::test_an_access_is_counted_with_its_time",
        "facts::test_deleting_a_space_deletes_its_facts",
        "forget::test_a_receipt_written_after_the_erasure_is_discarded",
        "forget::test_a_summary_finished_after_the_erasure_is_discarded",
        "forget::test_an_edited_message_keeps_its_position_and_its_old_text_is_erased",
        "forget::test_summaries_of_a_forgotten_message_are_withdrawn",
        "forget::test_vectors_and_time_mentions_written_after_the_erasure_are_discarded",
        "items::test_the_doctor_makes_lost_notes_again",
        "jobs::test_a_job_that_postpones_work_keeps_its_error_until_the_next_job_is_done",
        "keys::test_the_secret_of_one_key_is_invalid_with_the_id_of_another",
        "late_writes::test_a_conversation_forgotten_during_a_step_leaves_no_records",
        "late_writes::test_a_message_erased_during_a_step_is_left_out_and_other_messages_are_distilled",
        "late_writes::test_a_space_recreated_during_a_step_gets_no_records_of_the_old_one",
        "late_writes::test_a_step_does_not_advance_past_messages_that_must_be_read_again",
        "late_writes::test_erasing_a_message_of_another_conversation_does_not_affect_a_step",
        "ledger::test_a_full_buffer_is_written_and_no_entry_is_lost",
        "ledger::test_a_receipt_can_be_read_immediately",
        "ledger::test_a_stored_receipt_is_the_receipt_of_its_context",
        "ledger::test_an_entry_of_a_deleted_record_is_discarded",
        "ledger::test_an_entry_written_twice_counts_once",
        "ledger::test_an_invalid_entry_is_logged_and_does_not_block_others",
        "ledger::test_ledger_entries_are_deleted_with_their_conversation",
        "ledger::test_retrievals_and_receipts_are_kept_for_thirty_days_and_accesses_permanently",
        "ledger::test_the_oldest_receipts_of_a_space_are_removed_when_all_are_too_large",
        "metadata_filters::test_the_doctor_repairs_the_index_of_metadata",
        "notes::test_a_changed_note_is_found_only_by_its_new_text",
        "notes::test_notes_are_deleted_with_their_conversation_unless_other_messages_support_them",
        "rate_limits::test_allotments_do_not_exceed_the_rate",
        "recall_filters::test_a_summary_is_not_found_outside_its_conversation",
        "recall_filters::test_pins_and_summaries_created_later_are_not_recalled",
        "retention::test_a_hold_keeps_what_has_expired_and_still_hides_it",
        "retention::test_the_job_erases_with_a_record",
        "retention::test_what_expires_leaves_every_read_at_once",
        "summaries::test_a_conversation_has_one_rolling_summary_in_progress",
        "summaries::test_a_summary_belongs_to_one_existing_conversation",
        "summaries::test_a_summary_in_progress_is_taken_over_only_without_a_sign_of_life",
        "summaries::test_a_summary_is_stored_with_all_its_fields",
        "summaries::test_summaries_are_deleted_alone_and_with_their_conversation",
        "summaries::test_the_database_rejects_an_invalid_summary",
        "summaries::test_the_last_completed_summaries_are_listed_in_conversation_order",
        "summaries::test_the_latest_summary_is_the_completed_one_with_the_highest_last_seq",
    ]),
    "calls a method that a server does not offer: check_key, allot, copy_to, work": frozenset([
        "fact_edits::test_reasons_and_marks_are_exported_imported_and_copied",
        "import_chats::test_an_imported_user_message_becomes_a_fact_with_its_quote",
        "import_chats::test_imported_messages_are_found_by_words_and_by_meaning",
        "import_chats::test_instructions_in_an_import_are_marked_and_stay_out_of_the_stable_prefix",
        "items::test_items_are_copied",
        "keys::test_a_key_is_valid_until_it_is_revoked",
        "keys::test_a_modified_key_is_invalid",
        "keys::test_malformed_keys_are_invalid",
        "long_names::test_a_longer_name_is_rejected_with_its_length",
        "long_names::test_the_longest_valid_name_is_accepted_and_found",
        "rate_limits::test_earlier_allotments_decay_over_time",
        "retention::test_a_copy_refuses_to_leave_out_what_a_hold_keeps",
        "retention::test_a_worker_erases_what_has_expired_by_itself",
        "verbatim_messages::test_the_raw_form_survives_an_export_and_an_import",
    ]),
    "waits for reports of progress, which a server does not send": frozenset([
        "export::test_long_exports_and_imports_report_progress",
        "import_chats::test_an_interrupted_import_keeps_whole_batches_and_can_be_completed",
        "import_chats::test_progress_ends_with_the_total",
        "messages::test_stored_messages_are_rechunked_only_on_request_and_only_once",
    ]),
    "a server words it differently: it refuses an empty file, and JSON has no NaN": frozenset([
        "import_chats::test_an_empty_export_imports_nothing_and_raises_no_error",
        "items::test_a_filter_can_have_numbers_that_json_lacks",
        "settings::test_an_invalid_value_is_rejected",
    ]),
    "sends hundreds of requests, and says nothing that others do not say: `make test` has ten minutes": frozenset([
        "about::test_a_portrait_of_long_messages_is_bounded",
        "automatic_pins::test_unusual_text_does_not_fail_the_pin_job",
        "changes::test_the_feed_keeps_at_most_ten_thousand_changes",
        "context::test_the_prefix_stays_stable_between_turns",
        "context_masked::test_summaries_are_masked_and_the_prefix_stays_stable",
        "facts::test_repeated_assistant_claims_make_no_fact_and_repeated_user_claims_make_one",
        "import_chats::test_concurrent_imports_of_one_file_store_it_once",
        "retention::test_many_messages_expire_in_batches_and_are_scrubbed_once",
    ]),
}  # fmt: skip
EXCLUDED = frozenset[str]().union(*NOT_ON_A_SERVER.values())


def name_of(item: pytest.Item) -> str:
    return f"{item.path.stem.removeprefix('test_')}::{item.name.partition('[')[0]}"


def cannot_be_remote(item: pytest.Item) -> bool:
    """Returns whether a test with the store `remote` is one of them."""
    parameters = getattr(item, "callspec", None)
    return parameters is not None and parameters.params.get("memory") == "remote" and name_of(item) in EXCLUDED
