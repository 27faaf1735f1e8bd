// Grid lines on the ground; everything else of it is clear.
in vec2 at;
uniform vec2 target;        // the grid fades out round it
uniform float fade;         // 1 / m
uniform vec4 spacing;       // m: lines, strong lines; then 1 / m of both
uniform vec3 minor_color;
uniform vec3 major_color;
uniform vec3 x_color;
uniform vec3 y_color;
uniform vec3 widths;        // device px: half of lines, strong lines, axes, and half a pixel to fade
out vec4 color;

void main() {
    vec2 pixel = max(fwidth(at), vec2(1e-7));
    vec2 per_pixel = 1.0 / pixel;
    vec4 cell = at.xyxy * spacing.zzww;
    vec4 away = abs(cell - floor(cell + 0.5)) * spacing.xxyy * per_pixel.xyxy;  // px to the nearest lines
    vec4 cover = clamp(widths.xxyy - away, 0.0, 1.0);
    // Cells of a few pixels would only make noise.
    vec2 dense = max(pixel.x, pixel.y) * spacing.zw;
    vec2 both = max(cover.xz, cover.yw) * clamp((0.4 - dense) * 3.6, 0.0, 1.0);
    vec2 axes = clamp(widths.zz - abs(at) * per_pixel, 0.0, 1.0);
    vec3 ink = mix(mix(mix(minor_color, major_color, both.y), y_color, axes.x), x_color, axes.y);
    float near = clamp(1.35 - 1.35 * length(at - target) * fade, 0.0, 1.0);
    color = vec4(ink, max(max(both.x, both.y), max(axes.x, axes.y)) * near);
}
