# A kernel that falls ill on request, for tests: one object more than the cached base.

# sick_kernel: builds it; sets $sick_image and $sick_id
sick_kernel() {
	sick_commit=$(kernel_edit "$(git -C "$tree" rev-parse HEAD)" "0;
$(cat "$KILN_SOURCE/tests/data/sick-kernel.c")
extern unsigned int kiln_probe") &&
	kiln build --tree "$tree" --json "$sick_commit" >sick.json &&
	sick_image=$(json sick.json "d[\"builds\"][0][\"image\"]") &&
	sick_id=$(json sick.json "d[\"builds\"][0][\"build_id\"]")
}
