/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that travel inside the program; base/embedded_files.h gives them to C++. */
    .section .rodata
    .balign 64
    .global permafrost_demo_knot_begin
    .global permafrost_demo_knot_end
permafrost_demo_knot_begin:
    .incbin "demo/demo.knot"
permafrost_demo_knot_end:
    .balign 64
    .global permafrost_builtin_prompts_begin
    .global permafrost_builtin_prompts_end
permafrost_builtin_prompts_begin:
    .incbin "prompts/builtin.jsonl"
permafrost_builtin_prompts_end:
    .balign 64
    .global permafrost_heldout_text_begin
    .global permafrost_heldout_text_end
permafrost_heldout_text_begin:
    .incbin "heldout/heldout.txt"
permafrost_heldout_text_end:
    .global permafrost_builtin_tasks_begin
    .global permafrost_builtin_tasks_end
permafrost_builtin_tasks_begin:
    .incbin "tasks/builtin.jsonl"
permafrost_builtin_tasks_end:
    .section .note.GNU-stack, "", @progbits
